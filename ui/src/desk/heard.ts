// One sound and one sentence for each answered scan. The gravest tone wins.
import { announce } from '#/app/live'
import type { Text } from '#/i18n/text'
import type { Formats } from '#/lib/format'
import { play } from './sounds'
import type { Scan } from './types'
import { type DeskAct, saidOf } from './words'

export function hear(scan: Scan, t: Text, formats: Formats, act: DeskAct) {
  const said = saidOf(scan, t, formats, act)
  const text = [said.word, said.place].filter(Boolean).join(', ')
  const title = scan.item?.title ?? scan.barcode
  if (scan.state === 'question') {
    play('question')
    announce(`${text}. ${title}`, true)
  } else if (scan.state === 'refused') {
    play('blocked')
    announce(`${text}. ${title}`, true)
  } else {
    play(scan.outcome?.tone ?? 'ok')
    announce(text)
  }
}
