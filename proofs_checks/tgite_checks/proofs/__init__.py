"""The record of the machine-checked proofs, and checks that compare proofs and transcription."""
