// A person, found by words of the name, card number or user name.
import { fullName } from '#/lib/names'
import { Lookup, type Option } from '#/ui/Lookup'
import { findPeople } from './queries'

interface Props {
  label: string
  value: Option | undefined
  onChange: (person: Option | undefined) => void
  id?: string
  help?: string
  error?: string
  autoFocus?: boolean
}

export function PersonPicker(props: Props) {
  return (
    <Lookup
      {...props}
      list="people"
      search={async (words, signal) =>
        (await findPeople(words, signal)).map((user) => ({
          id: user.id,
          text: fullName(user.personal ?? {}) || (user.username ?? user.id),
          detail: user.barcode ?? user.username,
        }))
      }
    />
  )
}
