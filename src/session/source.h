// SPDX-License-Identifier: GPL-3.0-or-later
// Where the input comes from: typed tokens, typed matrices, or files; each a plain comparable value.
#pragma once

#include "attention/input.h"
#include "session/tensor_set.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attenscope {

enum class SplitRule { WhiteSpace, Characters, Lines };

/// A typed sequence with seeded, untrained embeddings.
struct TokensSource {
    std::string text = "The cat sat on the mat because it was tired";
    std::optional<std::string> keyText; ///< A second sequence for the keys: cross-attention. Unset: the same tokens.
    SplitRule split = SplitRule::WhiteSpace;
    int dModel = 32;
    bool hasPositions = true; ///< Sinusoidal positions are added.
    std::uint64_t seed = 1;

    friend bool operator==(const TokensSource &, const TokensSource &) = default;
};

enum class MatrixForm { Projected, Embedded };

/// One head's typed Q, K, V. v may be 0 x 0.
struct HeadMatrices {
    SharedMatrix q, k, v;

    friend bool operator==(const HeadMatrices &, const HeadMatrices &) = default;
};

/// Typed matrices: Q, K, V per head, or X (and Y) with projections.
struct MatricesSource {
    MatrixForm form = MatrixForm::Projected;
    std::vector<HeadMatrices> heads; ///< Projected; at least one.
    SharedMatrix x, y; ///< Embedded; y empty: self-attention.
    Projections projections; ///< Embedded.
    std::vector<std::string> queryTokens; ///< Names of rows; missing and empty ones are shown as positions, surplus ones are left out.
    std::vector<std::string> keyTokens; ///< Empty: the query tokens, where there are as many keys as queries.

    friend bool operator==(const MatricesSource &, const MatricesSource &) = default;
};

/// A file that was opened, to find it again and to notice a change.
struct FileRef {
    std::string path; ///< Absolute; in a session file relative to it where possible.
    std::uint64_t size = 0;
    std::string checksum; ///< SHA-256, hex; empty for files too large to be read whole.
    std::int64_t modified = 0; ///< Time of the last change in nanoseconds since 1970; 0: not known.

    /// The same content as far as it is known: the time counts only where there is no checksum.
    friend bool operator==(const FileRef &a, const FileRef &b)
    {
        return a.path == b.path && a.size == b.size && a.checksum == b.checksum && (!a.checksum.empty() || a.modified == b.modified);
    }
};

/// Files, what is in them, and what each tensor is used as.
struct FileSource {
    std::vector<FileRef> files;
    std::shared_ptr<const TensorSet> tensors; ///< Null until loaded ("Locate…").
    std::vector<TensorUse> uses; ///< One per tensor and text of the set.
    std::vector<std::string> queryTokens; ///< Typed by the user; empty: from the files.
    std::vector<std::string> keyTokens;

    friend bool operator==(const FileSource &a, const FileSource &b);
};

/// Exactly one of the three.
using Source = std::variant<TokensSource, MatricesSource, FileSource>;

/// The input that @p source means, one block or more; nothing is read from disk. Errors: no tokens, a shape that does not fit whatever the
/// mechanism is (see checkMatrices() for which table, and for what depends on the mechanism), files not loaded, no tensor that can be used.
/// Seeded tokens become EmbeddedData with W_o and d_model x d_model projections: the vector of a token depends on token, seed and d_model
/// alone, W_q, W_k, W_v, W_o on seed and d_model alone, so that another number of heads splits the same matrices. The deviation of W is
/// 1/√d_model, of the embeddings 1. Cross-attention (a key text) uses y. @p notes gets what is to be said about files (see interpret()).
Result<AttentionInput> buildInput(const Source &source, std::vector<std::string> *notes = nullptr);

/// The tokens of a typed text; none for empty text.
/// WhiteSpace: what stands between white space (Unicode's). Characters: every character, white space too; what combines with a character,
/// and the parts of an emoji, stay with it. Lines: every line, empty ones too; a line end at the very end starts no further line.
[[nodiscard]] std::vector<std::string> splitTokens(const std::string &text, SplitRule rule);

/// A change that makes matrices fit, offered as a link.
struct MatrixFix {
    std::string label; ///< "Add a column of zeros to K"
    MatricesSource fixed;
};
/// What does not fit, at the table that is to change; in the order of the tables.
struct MatrixProblem {
    SpecPart table = SpecPart::Q;
    int head = 0;
    std::string sentence; ///< "K has 3 columns, Q has 4. They must be equal, because q · k pairs their numbers."
    std::vector<MatrixFix> fixes;
};
/// Everything about the shapes of @p source that cannot be computed under @p spec; empty: it fits. Heads are compared with head 0, and a fix
/// that changes head 0 changes all heads of its shape.
[[nodiscard]] std::vector<MatrixProblem> checkMatrices(const MatricesSource &source, const AttentionSpec &spec);

} // namespace attenscope
