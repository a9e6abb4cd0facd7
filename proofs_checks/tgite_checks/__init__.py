"""What is claimed of the transcription in ``tgite``, and the evidence for it."""
