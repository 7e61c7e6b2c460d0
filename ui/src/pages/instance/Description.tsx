// All that describes a title, by sections; those without content are left out.
import { Link } from '@tanstack/react-router'
import { useNames } from '#/api/lists'
import { useText } from '#/i18n/text'
import { FactSection } from '#/inventory/FactSection'
import { lines } from '#/inventory/Facts'
import { Links } from '#/inventory/Links'
import { Notes } from '#/inventory/Notes'
import type { Instance } from '#/inventory/types'
import { useLanguageName } from '#/inventory/useLanguageName'
import { useFormats } from '#/lib/format'
import { Code } from '#/ui/Code'
import { Section } from '#/ui/Section'
import { Related } from './Related'

export function Description({ instance }: { instance: Instance }) {
  const t = useText()
  const formats = useFormats()
  const language = useLanguageName()
  const names = useNames(
    'alternativeTitleTypes',
    'identifierTypes',
    'contributorTypes',
    'classificationTypes',
    'instanceTypes',
    'instanceFormats',
    'modesOfIssuance',
    'natureOfContent',
    'statisticalCodes',
    'instanceStatuses',
    'instanceNoteTypes',
  )
  const flag = (on: boolean | undefined) => t(on ? 'inventory.yes' : 'inventory.no')
  const all = (list: Parameters<typeof names>[0], ids: readonly string[] | undefined) =>
    lines(ids?.map((id) => names(list, id)))
  return (
    <>
      <FactSection
        title={t('inventory.administrative')}
        facts={[
          [
            t('inventory.hrid'),
            <Code key="hrid" plain>
              {instance.hrid ?? ''}
            </Code>,
          ],
          [t('inventory.source'), instance.source],
          [t('inventory.cataloged'), formats.day(instance.catalogedDate ?? '')],
          [t('inventory.facet.statusId'), names('instanceStatuses', instance.statusId)],
          [
            t('inventory.facet.modeOfIssuanceId'),
            names('modesOfIssuance', instance.modeOfIssuanceId),
          ],
          [t('inventory.facet.staffSuppress'), flag(instance.staffSuppress)],
          [t('inventory.facet.discoverySuppress'), flag(instance.discoverySuppress)],
          [t('inventory.previouslyHeld'), flag(instance.previouslyHeld)],
          [t('inventory.codes'), all('statisticalCodes', instance.statisticalCodeIds)],
          [t('inventory.administrativeNotes'), lines(instance.administrativeNotes)],
        ]}
      />
      <FactSection
        title={t('inventory.titles')}
        facts={[
          [t('inventory.title'), <bdi key="title">{instance.title}</bdi>],
          [
            t('inventory.indexTitle'),
            instance.indexTitle && <bdi key="index">{instance.indexTitle}</bdi>,
          ],
          ...(instance.alternativeTitles ?? []).map(
            (one, at) =>
              [
                `${names('alternativeTitleTypes', one.alternativeTitleTypeId) ?? t('inventory.alternativeTitle')}${at ? ` ${at + 1}` : ''}`,
                <bdi key={one.alternativeTitle}>{one.alternativeTitle}</bdi>,
              ] as const,
          ),
          [t('inventory.by.series'), lines(instance.series?.map((one) => one.value))],
        ]}
      />
      <FactSection
        title={t('inventory.contributors')}
        facts={(instance.contributors ?? []).map((one, at) => [
          `${one.contributorTypeText ?? names('contributorTypes', one.contributorTypeId) ?? t('inventory.by.contributor')}${at ? ` (${at + 1})` : ''}`,
          <Link key={one.name} to="/inventory" search={{ by: 'contributor', q: `${one.name} ` }}>
            <bdi>{one.name}</bdi>
          </Link>,
        ])}
      />
      <FactSection
        title={t('inventory.identifiers')}
        facts={(instance.identifiers ?? []).map((one, at) => [
          `${names('identifierTypes', one.identifierTypeId) ?? ''}${at ? ` (${at + 1})` : ''}`,
          <Code key={one.value} plain>
            {one.value}
          </Code>,
        ])}
      />
      <FactSection
        title={t('inventory.descriptive')}
        facts={[
          [
            t('inventory.published'),
            lines(
              instance.publication?.map((one) =>
                [[one.place, one.publisher].filter(Boolean).join(' : '), one.dateOfPublication]
                  .filter(Boolean)
                  .join(', '),
              ),
            ),
          ],
          [t('inventory.editions'), lines(instance.editions)],
          [t('inventory.extent'), lines(instance.physicalDescriptions)],
          [t('inventory.facet.instanceTypeId'), names('instanceTypes', instance.instanceTypeId)],
          [
            t('inventory.facet.natureOfContentTermIds'),
            all('natureOfContent', instance.natureOfContentTermIds),
          ],
          [
            t('inventory.facet.instanceFormatIds'),
            all('instanceFormats', instance.instanceFormatIds),
          ],
          [t('inventory.facet.languages'), lines(instance.languages?.map(language))],
          [t('inventory.frequency'), lines(instance.publicationFrequency)],
          [t('inventory.range'), lines(instance.publicationRange)],
        ]}
      />
      {instance.subjects?.length ? (
        <Section title={t('inventory.subjects')}>
          <ul>
            {instance.subjects.map((one) => (
              <li key={one.value}>
                <Link to="/inventory" search={{ by: 'subject', q: `${one.value} ` }}>
                  <bdi>{one.value}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <FactSection
        title={t('inventory.by.classification')}
        facts={(instance.classifications ?? []).map((one, at) => [
          `${names('classificationTypes', one.classificationTypeId) ?? ''}${at ? ` (${at + 1})` : ''}`,
          <Code key={one.classificationNumber} plain>
            {one.classificationNumber}
          </Code>,
        ])}
      />
      <Notes
        notes={(instance.notes ?? []).map((one) => ({
          ...one,
          type: names('instanceNoteTypes', one.instanceNoteTypeId),
        }))}
      />
      <Links links={instance.electronicAccess} />
      <Related instance={instance} />
    </>
  )
}
