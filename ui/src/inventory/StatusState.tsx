// The status of an item: sign and word.
import { Outcome } from '#/ui/Badge'
import { signOf, useStatusWord } from './status'

export function StatusState({ status }: { status: string }) {
  const word = useStatusWord()
  const { kind, icon } = signOf(status)
  return (
    <Outcome kind={kind} icon={icon}>
      {word(status)}
    </Outcome>
  )
}
