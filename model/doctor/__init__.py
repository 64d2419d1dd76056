"""Is something wrong with the files, and how is it mended?"""

from model.doctor.examination import examine, joined
from model.doctor.ignoring import acceptance
from model.doctor.report import Report

__all__ = ["Report", "acceptance", "examine", "joined"]
