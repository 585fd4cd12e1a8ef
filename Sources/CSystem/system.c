#include "CSystem.h"
typedef int minilab_system_translation_unit;
