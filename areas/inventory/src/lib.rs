//! Instances, holdings, items, locations, service points and their reference lists.
