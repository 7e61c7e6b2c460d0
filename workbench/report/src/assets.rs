//! The plotting library that reports and the live page carry in them: uPlot, whose licence lies beside.

/// Its script.
pub const UPLOT_SCRIPT: &str = include_str!("../assets/uplot/uPlot.iife.min.js");
/// Its style sheet.
pub const UPLOT_STYLE: &str = include_str!("../assets/uplot/uPlot.min.css");
