"""Constituent trees and their metrics."""
