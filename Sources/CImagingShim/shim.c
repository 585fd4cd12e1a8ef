#include "CImagingShim.h"
typedef int minilab_imaging_translation_unit;
