#pragma once

#include <Qt>

namespace yard::model {

/// What a table model tells the delegates about a cell beside its text. Models send meaning, the
/// widgets choose glyph, colour and font.
enum CellRole {
    UnitRole = Qt::UserRole + 100,  ///< QString, muted after the value: "kW", "kW, 94 s"
    ToneRole,                       ///< int, Tone
    MonoRole,                       ///< bool: name, hostlist or number
    HostlistRole,                   ///< bool: a hostlist, cut between its ranges where it must be
    CategoryRole,                   ///< int, NodeCategory: the state's glyph before the text
    RequestedRole,                  ///< bool: an open operation of ours, the glyph's dotted ring
    JobStateRole,                   ///< int, JobState: the job's glyph before the text
    NoteRole,                       ///< QString in accent after the text: "drain requested, 1 s"
    GpuCellsRole,                   ///< QVector<int> of GpuCell: a strip instead of text
    SortRole,                       ///< QVariant to sort by; an invalid one sorts last
    FullTextRole,                   ///< QString for the tooltip and for copying; default: the text
    IndentRole,                     ///< int, levels of indentation
    ExpandRole,                     ///< int: 0 closed, 1 open; absent: nothing to open
};

enum class Tone { Primary, Secondary, Muted, Accent, Warn, Fault, Good };

enum GpuCell { GpuFree, GpuInUse, GpuFault, GpuUnknown };

}  // namespace yard::model
