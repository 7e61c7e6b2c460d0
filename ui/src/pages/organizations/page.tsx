// The pages of this place in one chunk: who opens a list opens its records next.

export {
  loader as organizationPageLoader,
  OrganizationPage,
} from '../organization/OrganizationPage'
export {
  loader as organizationFormLoader,
  OrganizationForm,
} from '../organization-form/OrganizationForm'
export { loader as organizationsPageLoader, OrganizationsPage } from './list'
