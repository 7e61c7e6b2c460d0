// The status of a record: word and sign.
import { Outcome } from '#/ui/Badge'
import { lookOf, useWord } from './words'

export function StateOf({ value }: { value: string | undefined }) {
  const word = useWord()
  if (!value) return null
  const [kind, icon] = lookOf(value)
  return (
    <Outcome kind={kind} icon={icon}>
      {word(value)}
    </Outcome>
  )
}
