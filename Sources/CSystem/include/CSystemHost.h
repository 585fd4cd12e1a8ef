#pragma once

#include <stdint.h>

/// Processors this process may run on; the CPU_* macros don't exist in Swift.
int32_t minilab_affinity_count(void);
