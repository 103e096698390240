"""Tools for agents, by the Model Context Protocol: crawls inside limits that a person set, and what they found."""
