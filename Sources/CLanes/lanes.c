// All of it is inlined from the header; a target needs a source.
#include "CLanes.h"
