// The parts of a rollover with the state of each; read aloud as they change.
import { type Progress, STAGES } from '#/acquisitions/rollovers'
import { StateOf } from '#/acquisitions/StateOf'
import { useText } from '#/i18n/text'
import { Description } from '#/ui/Description'
import { Section } from '#/ui/Section'

export function Stages({ progress }: { progress: Progress | undefined }) {
  const t = useText()
  return (
    <Section title={t('fin.progress')}>
      <div role="status">
        <Description
          lines={STAGES.map((stage) => [
            t(`fin.stage.${stage}`),
            <StateOf key={stage} value={progress?.[stage] ?? 'Not Started'} />,
          ])}
        />
      </div>
    </Section>
  )
}
