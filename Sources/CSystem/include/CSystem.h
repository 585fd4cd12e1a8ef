#pragma once
#include "CSystemSandbox.h"
