// A property that the list has no words for, by its place.
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { lastOf, type Rule } from '#/settings/imports/rules'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'

interface Props {
  type: unknown
  onAdd: (rule: Rule) => void
}

export function Another({ type, onAdd }: Props) {
  const t = useText()
  const [path, setPath] = useState('')
  const isPlace = /^[a-z]\w*(\.\w+(\[\])?)+$/i.test(path.trim())
  return (
    <>
      <TextField
        label={t('map.another', { example: `${String(type ?? 'item').toLowerCase()}.hrid` })}
        value={path}
        onChange={setPath}
      />
      <Button
        disabled={isPlace ? undefined : t('map.typePlace')}
        onPress={() => {
          const place = path.trim()
          onAdd({ name: lastOf(place), enabled: 'true', path: place, value: '', subfields: [] })
          setPath('')
        }}
      >
        {t('acq.add')}
      </Button>
    </>
  )
}
