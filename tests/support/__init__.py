"""What the tests share: a simulated Discord, what people see in it, and the watch over the log."""
