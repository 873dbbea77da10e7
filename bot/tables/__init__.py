"""The application: lobbies, seats, one door, deadlines. Knows neither Discord nor the database."""
