"""What our servers share: names of the address they answer under, and binding it."""
