-- Records of before are taken up by the record store now, portion by portion.
DROP FUNCTION {schema}.search_fill_portion(text, integer);
