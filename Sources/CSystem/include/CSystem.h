/// What Swift can't call: system calls without a wrapper, variadic functions, macros, fork.
///
/// Every function has a fixed signature and no policy. Failure is a negative errno.
#pragma once

#include "CSystemEvents.h"
#include "CSystemFiles.h"
#include "CSystemHost.h"
#include "CSystemProcess.h"
#include "CSystemSocket.h"
#include "CSystemSandbox.h"
