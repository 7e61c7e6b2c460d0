// Somebody else saved the record meanwhile: the fields that differ, side by side; one of both is taken.
import { useText } from '#/i18n/text'
import { elementText, shown } from '#/marc/model'
import type { MarcField } from '#/marc/types'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'
import table from '#/ui/Table.module.css'

interface Props {
  mine: readonly MarcField[]
  theirs: readonly MarcField[]
  onMine: () => void
  onTheirs: () => void
}

const textOf = ({ tag, indicators, content }: MarcField): string =>
  [
    tag,
    shown(indicators.join('')),
    typeof content === 'string'
      ? content
      : Object.entries(content)
          .map(([name, value]) => `${name} ${elementText(value)}`)
          .join(' '),
  ].join(' ')

/** The day of the last change differs always. */
const texts = (fields: readonly MarcField[]) =>
  fields.filter((field) => field.tag !== '005').map(textOf)

export function MarcConflict({ mine, theirs, onMine, onTheirs }: Props) {
  const t = useText()
  const [own, other] = [texts(mine), texts(theirs)]
  const onlyMine = own.filter((line) => !other.includes(line))
  const onlyTheirs = other.filter((line) => !own.includes(line))
  const rows = Array.from({ length: Math.max(onlyMine.length, onlyTheirs.length) }, (_, at) => at)
  return (
    <section className="stack" aria-label={t('forms.conflict')}>
      <Note kind="question" alert>
        <p>
          <strong>{t('forms.conflict')}</strong> {t('inventory.marcConflict')}
        </p>
      </Note>
      <table className={table.tbl}>
        <thead>
          <tr>
            <th scope="col">{t('forms.mine')}</th>
            <th scope="col">{t('forms.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((at) => (
            <tr key={at}>
              <td>
                <span className="mono">{onlyMine[at]}</span>
              </td>
              <td>
                <span className="mono">{onlyTheirs[at]}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row wrap">
        <Button kind="primary" onPress={onMine}>
          {t('inventory.saveMine')}
        </Button>
        <Button onPress={onTheirs}>{t('forms.takeTheirs')}</Button>
      </div>
    </section>
  )
}
