// The categories of 007 by their first character: the name of each, and its places after the category itself. Names and
// lengths are those of FOLIO's editor.
import type { Place } from './fixed'

const places = (...names: (string | Place)[]): readonly Place[] =>
  names.map((name) => (typeof name === 'string' ? [name, 1] : name))

export const CATEGORIES: Readonly<Record<string, { name: string; places: readonly Place[] }>> = {
  c: {
    name: 'Electronic resource',
    places: places(
      'SMD',
      'Color',
      'Dimensions',
      'Sound',
      ['Image bit depth', 3],
      'File formats',
      'Quality assurance target(s)',
      'Antecedent/ Source',
      'Level of compression',
      'Reformatting quality',
    ),
  },
  d: { name: 'Globe', places: places('SMD', 'Color', 'Physical medium', 'Type of reproduction') },
  o: { name: 'Kit', places: places('SMD') },
  a: {
    name: 'Map',
    places: places(
      'SMD',
      'Color',
      'Physical medium',
      'Type of reproduction',
      'Production/reproduction details',
      'Positive/negative aspect',
    ),
  },
  h: {
    name: 'Microform',
    places: places(
      'SMD',
      'Positive/negative aspect',
      'Dimensions',
      ['Reduction ratio range/Reduction ratio', 4],
      'Color',
      'Emulsion on film',
      'Generation',
      'Base of film',
    ),
  },
  m: {
    name: 'Motion picture',
    places: places(
      'SMD',
      'Color',
      'Motion picture presentation format',
      'Sound on medium or separate',
      'Medium for sound',
      'Dimensions',
      'Configuration of playback channels',
      'Production elements',
      'Positive/negative aspect',
      'Generation',
      'Base of film',
      'Refined categories of color',
      'Kind of color stock or print',
      'Deterioration stage',
      'Completeness',
      ['Film inspection date', 6],
    ),
  },
  k: {
    name: 'Nonprojected graphic',
    places: places('SMD', 'Color', 'Primary support material', 'Secondary support material'),
  },
  q: { name: 'Notated music', places: places('SMD') },
  g: {
    name: 'Projected graphic',
    places: places(
      'SMD',
      'Color',
      'Base of emulsion',
      'Sound on medium or separate',
      'Medium for sound',
      'Dimensions',
      'Secondary support material',
    ),
  },
  r: {
    name: 'Remote-sensing image',
    places: places(
      'SMD',
      'Altitude of sensor',
      'Attitude of sensor',
      'Cloud cover',
      'Platform construction type',
      'Platform use category',
      'Sensor type',
      ['Data type', 2],
    ),
  },
  s: {
    name: 'Sound recording',
    places: places(
      'SMD',
      'Speed',
      'Configuration of playback channels',
      'Groove width/ groove pitch',
      'Dimensions',
      'Tape width',
      'Tape configuration',
      'Kind of disc, cylinder, or tape',
      'Kind of material',
      'Kind of cutting',
      'Special playback characteristics',
      'Capture and storage technique',
    ),
  },
  f: {
    name: 'Tactile material',
    places: places(
      'SMD',
      ['Class of braille writing', 2],
      'Level of contraction',
      ['Braille music format', 3],
      'Special physical characteristics',
    ),
  },
  t: { name: 'Text', places: places('SMD') },
  z: { name: 'Unspecified', places: places('SMD') },
  v: {
    name: 'Videorecording',
    places: places(
      'SMD',
      'Color',
      'Videorecording format',
      'Sound on medium or separate',
      'Medium for sound',
      'Dimensions',
      'Configuration of playback channels',
    ),
  },
}
