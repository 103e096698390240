"""Parts that our servers share: names of the address they answer under, binding it, the time for a request."""
