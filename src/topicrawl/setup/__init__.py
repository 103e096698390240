"""From what a user wrote to what a run keeps: settings, configuration, topic, seeds, examples, strategy."""
