// The same for tests.
#pragma once

#include "standard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
