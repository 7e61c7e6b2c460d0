// A section of labels and values; without values there is no section.
import { Section } from '#/ui/Section'
import { type Fact, Facts, hasFacts } from './Facts'

export function FactSection({ title, facts }: { title: string; facts: readonly Fact[] }) {
  if (!hasFacts(facts)) return null
  return (
    <Section title={title}>
      <Facts facts={facts} />
    </Section>
  )
}
