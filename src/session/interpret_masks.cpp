// SPDX-License-Identifier: GPL-3.0-or-later
// Key padding and boolean masks that came with the arrays.
#include "core/memory.h"
#include "core/text.h"
#include "session/interpret_parts.h"

#include <algorithm>

namespace attenscope {

namespace {

using enum TensorRole;

/// A mask of this kind for the block: its own, the encoder's for cross-attention, or one that is said to be of no block.
Result<TensorStack> findMask(const AttentionBlock &block, const TensorSet &set, const std::vector<TensorUse> &uses, TensorRole role)
{
    std::vector<BlockRole> places{ block.role };
    const bool isPadding = role == KeyPadding || role == PaddedKeys;
    if (isPadding && block.role == BlockRole::Cross)
        places.push_back(BlockRole::EncoderSelf);
    if (isPadding && (block.role == BlockRole::Cross || block.role == BlockRole::EncoderSelf))
        places.push_back(BlockRole::Plain);
    for (const BlockRole place : places) {
        const BlockTensors tensors = tensorsOf(set, uses, place);
        if (tensors.has(role))
            return stackOf(tensors, role);
    }
    return TensorStack();
}

std::string doesNotFit(const std::string &sentence)
{
    return sentence + " It does not fit and is not used.";
}

/// The stack if it is there, has one matrix of the size per batch element, and can be read.
const TensorStack *fitting(const Result<TensorStack> &mask, const AttentionBlock &block, Index rows, std::vector<std::string> &notes)
{
    if (!mask) {
        notes.push_back(doesNotFit(mask.error().sentence()));
        return nullptr;
    }
    if (!mask->isThere())
        return nullptr;
    const bool fits = mask->rows() == rows && mask->cols() == block.keys && (mask->batch() == block.batch || mask->batch() == 1)
        && mask->layers() == 1 && mask->heads() == 1;
    if (!fits) {
        notes.push_back(doesNotFit(mask->shapeSentence() + "."));
        return nullptr;
    }
    return &*mask;
}

void addPadding(AttentionBlock &block, const TensorStack &mask, bool oneIsPadding)
{
    std::vector<double> row(static_cast<std::size_t>(block.keys));
    for (int element = 0; element < block.batch; ++element) {
        mask.matrix(0, mask.batch() == 1 ? 0 : element, 0).readRow(0, 0, row);
        std::vector<bool> isReal(row.size());
        std::transform(row.begin(), row.end(), isReal.begin(), [&](double number) { return (number != 0.0) != oneIsPadding; });
        // Padding and its opposite from two arrays: real is what both say is real.
        if (block.keyPadding.size() > static_cast<std::size_t>(element)) {
            std::vector<bool> &known = block.keyPadding[static_cast<std::size_t>(element)];
            std::transform(known.begin(), known.end(), isReal.begin(), known.begin(), std::logical_and<>());
        } else {
            block.keyPadding.push_back(std::move(isReal));
        }
    }
}

/// Neither 0 and 1, nor 0 and what hides when it is added to a score.
bool isOdd(double number)
{
    constexpr double hides = -1e3;
    return number != 0.0 && number != 1.0 && !(number <= hides);
}

BitMatrix readMask(const SharedMatrix &numbers, bool oneIsHidden, bool &hasOddNumbers)
{
    std::vector<double> row(static_cast<std::size_t>(numbers.cols()));
    bool isAdded = false;
    for (Index query = 0; query < numbers.rows() && !isAdded; ++query) {
        numbers.readRow(query, 0, row);
        isAdded = std::any_of(row.begin(), row.end(), [](double number) { return number < 0.0; });
    }
    BitMatrix allowed(numbers.rows(), numbers.cols(), true);
    for (Index query = 0; query < numbers.rows(); ++query) {
        numbers.readRow(query, 0, row);
        for (Index key = 0; key < numbers.cols(); ++key) {
            const double number = row[static_cast<std::size_t>(key)];
            hasOddNumbers = hasOddNumbers || isOdd(number);
            const bool isAllowed = isAdded ? number >= 0.0 : (number != 0.0) != oneIsHidden;
            if (!isAllowed)
                allowed.set(query, key, false);
        }
    }
    return allowed;
}

void addMask(AttentionBlock &block, const TensorStack &mask, bool oneIsHidden, std::vector<std::string> &notes)
{
    const std::uint64_t cells = saturatingProduct(static_cast<std::uint64_t>(block.queries), static_cast<std::uint64_t>(block.keys));
    if (const auto memory = checkMemory(saturatingProduct(cells, static_cast<std::uint64_t>(mask.batch())) / 8, "The mask"); !memory) {
        notes.push_back(memory.error().sentence() + " " + shortened(mask.name(), 60) + " is not used.");
        return;
    }
    bool hasOddNumbers = false;
    for (int element = 0; element < mask.batch(); ++element)
        block.masks.push_back(readMask(mask.matrix(0, element, 0), oneIsHidden, hasOddNumbers));
    if (hasOddNumbers)
        notes.push_back(shortened(mask.name(), 60) + " has numbers other than 0 and 1; it is used as a mask, not added as a bias.");
}

} // namespace

void addMasks(AttentionBlock &block, const TensorSet &set, const std::vector<TensorUse> &uses, std::vector<std::string> &notes)
{
    for (const TensorRole role : { KeyPadding, PaddedKeys }) {
        const auto mask = findMask(block, set, uses, role);
        if (const TensorStack *stack = fitting(mask, block, 1, notes))
            addPadding(block, *stack, role == PaddedKeys);
    }
    for (const TensorRole role : { AllowedMask, HiddenMask }) {
        const auto mask = findMask(block, set, uses, role);
        const TensorStack *stack = fitting(mask, block, block.queries, notes);
        if (!stack)
            continue;
        if (!block.masks.empty())
            notes.push_back("There are two masks; " + shortened(stack->name(), 60) + " is not used.");
        else
            addMask(block, *stack, role == HiddenMask, notes);
    }
}

} // namespace attenscope
