"""Reports as other programs read them: SARIF 2.1.0, JUnit XML, GitHub annotations. Pure functions of report and
places; a report holds no secret, so neither does what they make."""

from model.doctor.formats.github import github
from model.doctor.formats.junit import junit
from model.doctor.formats.places import Places, places_of
from model.doctor.formats.sarif import sarif

__all__ = ["Places", "github", "junit", "places_of", "sarif"]
