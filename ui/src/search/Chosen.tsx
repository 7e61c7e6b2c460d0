// How many were found of how many, and what narrows the list: each can be taken away.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Chip } from '#/ui/Chip'

interface Props {
  /** Undefined while it is not known. */
  found: number | undefined
  everything: number | undefined
  chips: readonly { id: string; text: string; onRemove: () => void }[]
  onClear: () => void
}

export function Chosen({ found, everything, chips, onClear }: Props) {
  const t = useText()
  const { number } = useFormats()
  return (
    <>
      <p role="status">
        {found === undefined ? (
          <span className="muted">{t('shell.searching')}</span>
        ) : (
          <>
            <span className="strong tnum">{number(found)}</span>{' '}
            {everything === undefined ? null : (
              <span className="muted tnum">
                {t('inventory.ofAll', { total: number(everything) })}
              </span>
            )}
          </>
        )}
      </p>
      {chips.map((one) => (
        <Chip key={one.id} text={one.text} onRemove={one.onRemove} />
      ))}
      {chips.length ? (
        <Button small kind="quiet" onPress={onClear}>
          {t('list.clear')}
        </Button>
      ) : null}
    </>
  )
}
