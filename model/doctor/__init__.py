"""Is something wrong with the files, and how is it mended?"""

from model.doctor.examination import examine
from model.doctor.report import Report

__all__ = ["Report", "examine"]
