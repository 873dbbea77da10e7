"""Measurements run by hand: the engine beside others, what whole games cost. Tests look at form, never at speed."""
