#pragma once

#include "results/document/document.h"
#include "results/explanation/explanation.h"

namespace cubicbench::results {

/// An explanation for people: in sentences what bounds the step and what fills memory, the terms,
/// the difference to the other plan where there is one, the roofline, and what would change it.
/// `why`: with the equation of each term, where it is from, and the numbers put in.
Document explanation_document(const Explanation& explanation, bool why);

}  // namespace cubicbench::results
