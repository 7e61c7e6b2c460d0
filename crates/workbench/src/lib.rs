//! Workloads, load driver, histograms and reports. Speaks HTTP only and knows no area.
