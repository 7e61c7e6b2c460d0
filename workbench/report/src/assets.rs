//! The plotting library that is embedded in reports and the live page: uPlot, whose licence is
//! beside it.

pub const UPLOT_SCRIPT: &str = include_str!("../assets/uplot/uPlot.iife.min.js");
pub const UPLOT_STYLE: &str = include_str!("../assets/uplot/uPlot.min.css");
