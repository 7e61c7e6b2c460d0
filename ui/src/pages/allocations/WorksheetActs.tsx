// The worksheet as a file: saved for a spreadsheet, and read again.
import { useId, useRef } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'

interface Props {
  disabled: boolean
  onSave: () => void
  onRead: (name: string, text: string) => void
}

export function WorksheetActs({ disabled, onSave, onRead }: Props) {
  const t = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (!file) return
    const text = await file.text()
    // The same file is read again after it was changed.
    if (input.current) input.current.value = ''
    onRead(file.name, text)
  }
  return (
    <div className="row wrap">
      <Button
        icon="download"
        disabled={disabled ? t('fin.alloc.noRows') : undefined}
        onPress={onSave}
      >
        {t('fin.alloc.saveSheet')}
      </Button>
      <Button
        icon="upload"
        disabled={disabled ? t('fin.alloc.noRows') : undefined}
        onPress={() => input.current?.click()}
      >
        {t('fin.alloc.readSheet')}
      </Button>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={t('fin.alloc.readSheet')}
        onChange={({ target }) => void read(target.files?.[0])}
      />
    </div>
  )
}
