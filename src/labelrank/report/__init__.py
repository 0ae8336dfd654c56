"""Reports: one-file HTML pages and results.json."""

from labelrank.report.curves import curves
from labelrank.report.html import Report
from labelrank.report.results import environment, write_results

__all__ = ["Report", "curves", "environment", "write_results"]
