"""Sections of an audit of two systems."""
