// The same for what makes documents of studies.
#pragma once

#include "problem.h"
#include "results/document/document.h"
#include "search/study/study.h"
