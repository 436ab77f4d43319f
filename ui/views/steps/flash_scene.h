// SPDX-License-Identifier: GPL-3.0-or-later
// FlashScene: the walk of flash attention after one tile: tiles over the map, the arithmetic of a row, the states of the tile's rows.
#pragma once

#include "attention/field.h"
#include "attention/flash_walk.h"
#include "state/color_map.h"
#include "views/steps/finished_blocks.h"
#include "views/steps/steps_scene.h"

#include <QImage>
#include <QStringList>

#include <memory>
#include <optional>

class QPainter;

namespace attenscope {

/// A walk and what is needed to show it.
struct FlashContent {
    std::shared_ptr<const AttentionInput> input;
    HeadRef ref;
    FlashWalk walk;
    MapFieldPtr weights; ///< Of the whole head, for the tiles of finished query blocks.
    ColorMap colors;
    int decimals = 3;
    std::shared_ptr<FinishedBlocks> finished = std::make_shared<FinishedBlocks>(); ///< Of weights, for all states.

    [[nodiscard]] const AttentionBlock &block() const { return input->blocks[static_cast<std::size_t>(ref.block)]; }
    /// A state after each tile, and the comparison with the exact result at the end.
    [[nodiscard]] std::size_t states() const { return walk.tiles.size() + 1; }
};

/// "queries 0 to 895 of 32,768: the states of all would take 8.9 GB"; empty where all are walked.
[[nodiscard]] QString partNote(const FlashContent &content);

/// One line of a row's arithmetic: "m′", "max(m, tile)", "max(2.168, 3.376) = ", "3.376".
struct FlashLine {
    QString symbol;
    QString rule;
    QString numbers;
    QString result;
};
/// What row @p row does in tile @p tile, with the numbers put in.
[[nodiscard]] std::vector<FlashLine> flashLines(const FlashContent &content, std::size_t tile, Index row);
/// The first state after which @p row has seen key @p key; of the nearest visited tile of the row where that one is skipped; the result
/// where the row sees no key at all.
[[nodiscard]] std::size_t flashStateOf(const FlashContent &content, Index row, Index key);

/// What a click at a point means.
struct FlashHit {
    std::optional<std::size_t> state;
    std::optional<Index> row;
};

class FlashScene {
public:
    FlashScene() = default;
    /// State @p state; @p row is the marked row, moved into the tile where it is not.
    FlashScene(std::shared_ptr<const FlashContent> content, std::size_t state, Index row, const StepStyle &style, QSizeF room);

    [[nodiscard]] QSizeF size() const { return m_size; }
    /// What a scene takes at least.
    [[nodiscard]] static QSizeF leastSize(const StepStyle &style) { return { style.size(640, 900), style.size(420, 620) }; }
    [[nodiscard]] Index row() const { return m_row; }
    /// How many rows of the tile the table has.
    [[nodiscard]] std::size_t shownRows() const { return m_tableRows.size(); }
    /// Whether there is room for what each line of the arithmetic does, beside its numbers.
    [[nodiscard]] bool hasRules() const;
    /// What happened to the rows of the tile, in words. Not for the result.
    [[nodiscard]] QString tileNote() const;
    void paint(QPainter &painter) const;
    [[nodiscard]] std::optional<FlashHit> hitAt(QPointF point) const;
    /// "Tile 13 of 21", "Result"
    [[nodiscard]] QString title() const;
    /// All that is said, for screen readers.
    [[nodiscard]] QString description() const;

private:
    [[nodiscard]] bool isEnd() const { return m_state == m_content->walk.tiles.size(); }
    /// The tile after which this is; the last one at the end.
    [[nodiscard]] const FlashTile &tile() const { return m_content->walk.tiles[std::min(m_state, m_content->walk.tiles.size() - 1)]; }
    [[nodiscard]] QRectF rectOf(const Range &rows, const Range &keys) const;
    [[nodiscard]] bool isRuleShown(const FlashLine &line) const;
    void makeImages();
    void paintMap(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    double paintLines(QPainter &painter, double y) const;
    double paintTable(QPainter &painter, double y) const;
    double paintResult(QPainter &painter, double y) const;
    void paintNote(QPainter &painter, double y, const QString &text) const;

    std::shared_ptr<const FlashContent> m_content;
    std::size_t m_state = 0;
    Index m_row = 0;
    StepStyle m_style;
    QSizeF m_size;
    QRectF m_map;
    QRectF m_side; ///< Arithmetic and table.
    double m_legend = 0.0;
    std::vector<std::pair<QRectF, Index>> m_tableRows;
    QImage m_finished; ///< Finished query blocks; a texel is 2^level cells.
    QImage m_current;
    int m_level = 0;
};

} // namespace attenscope
