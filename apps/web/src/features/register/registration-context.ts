import { createRequiredContext } from '../../components/required-context.ts';
import type { Registration } from './use-register-form.ts';

/** Gives the parts of the form what it holds and does, and reads it. */
export const [RegistrationContext, useRegistration] = createRequiredContext<Registration>('the form');
