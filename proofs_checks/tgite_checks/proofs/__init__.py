"""What the proof kernel has accepted, and how it is tied to the transcription."""
