// The location of holdings by its name: 852 keeps its code.
import { useList } from '#/api/lists'
import { useText } from '#/i18n/text'
import { Lookup } from '#/ui/Lookup'
import { LineCard } from './LineCard'
import { subfieldOf } from './model'
import type { Line } from './types'

interface Props {
  line: Line
  onChoose: (code: string) => void
  onClose: () => void
}

const SHOWN = 50

export function ChooseLocation({ line, onChoose, onClose }: Props) {
  const t = useText()
  const locations = useList('locations')
  const code = subfieldOf(line.content, 'b')
  const options = locations.flatMap((one) =>
    // A closed location is offered to nobody who does not have it already.
    one.code && (one.isActive !== false || one.code === code)
      ? [{ id: one.code, text: one.name, detail: one.code }]
      : [],
  )
  return (
    <LineCard title={t('inventory.chooseLocation')} onClose={onClose}>
      <Lookup
        label={t('inventory.permanentLocation')}
        list={`locations ${locations.length}`}
        search={async (words) => {
          const wanted = words.toLocaleLowerCase()
          return options
            .filter(({ text, id }) => `${text} ${id}`.toLocaleLowerCase().includes(wanted))
            .slice(0, SHOWN)
        }}
        value={options.find(({ id }) => id === code)}
        onChange={(option) => option && onChoose(option.id)}
        autoFocus
      />
    </LineCard>
  )
}
