"""Tests of the interfaces to other libraries."""
