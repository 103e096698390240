"""What our servers share: names of the address they answer under, binding it, how long a request may take to come."""
