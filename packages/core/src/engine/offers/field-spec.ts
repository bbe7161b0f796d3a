import type { Bounds } from '../bounds.ts';
import type { AnyTier } from '../commission/tier.ts';
import type { PerPeriod } from '../periods.ts';
import type { ElectricityTerms, GasTerms, SupplyType } from './offer.ts';

/** Every field that an offer of either supply can have, except the supply itself. */
export type OfferTermsByField = Omit<ElectricityTerms & Omit<GasTerms, keyof ElectricityTerms>, 'supplyType'>;
export type FieldName = keyof OfferTermsByField;

/**
 * The section of a field. Requests, answers and spreadsheets order fields by section, each in its own way. `prices` are
 * those that a month of an indexed offer has too; `commissions` are hidden from callers without `commissions:read`;
 * `contract` comes after everything else, also after the stamps, and `hours` after it, only where an offer has some of it.
 */
export type FieldSection =
  | 'owner'
  | 'identity'
  | 'prices'
  | 'costs'
  | 'options'
  | 'commissions'
  | 'reach'
  | 'contract'
  | 'hours';

/** The bounds of a stored number. */
interface StoredBounds extends Bounds {
  /** The unit in Spanish, for spreadsheets. */
  readonly unidad: string;
}

interface Stored {
  /**
   * The name in the database. Columns of `periods` and `flags` end with `_1` to `_6` or with `_` and the name of the
   * flag.
   */
  readonly column: string;
  readonly section: FieldSection;
}

interface Named extends Stored {
  /**
   * The name in JSON, in the header of spreadsheets and in refusals. Fields of `periods` end with the number of the
   * period.
   */
  readonly wire: string;
}

/** The id of another record. */
interface IdSpec extends Named {
  readonly kind: 'id';
  readonly initial: 0;
}
/** A name, trimmed and composed; it is required. */
interface TextSpec extends Named {
  readonly kind: 'text';
  readonly initial: '';
  readonly maxLength: number;
}
/** A text or none, trimmed and composed. */
interface NoteSpec extends Named {
  readonly kind: 'note';
  readonly initial: null;
  readonly maxLength: number;
  /** All that it may be, where it is no text of any words. */
  readonly pattern?: RegExp;
}
/** A day, `YYYY-MM-DD`, or none. */
interface DaySpec extends Named {
  readonly kind: 'day';
  readonly initial: null;
}
/** True or false; where `initial` is `null`, also unknown. */
interface FlagSpec<T = boolean | null> extends Named {
  readonly kind: 'flag';
  readonly initial: T;
}
/** A number; where `initial` is `null`, it may be missing. */
interface AmountSpec<T = number | null> extends Named {
  readonly kind: 'amount';
  readonly initial: T;
  readonly bounds: StoredBounds;
  /** For the prices of a month, where they differ. */
  readonly monthlyBounds?: StoredBounds;
}
/** One of some words. */
interface ChoiceSpec<T = string> extends Named {
  readonly kind: 'choice';
  readonly initial: T;
  readonly names: readonly [T, ...T[]];
}
/** A number or null for each period. */
interface PeriodsSpec extends Named {
  readonly kind: 'periods';
  readonly initial: null;
  readonly bounds: StoredBounds;
  readonly monthlyBounds?: StoredBounds;
}
/** True or false for each of some names, which are fields of their own in JSON and in spreadsheets. */
interface FlagsSpec<T extends string = string> extends Stored {
  readonly kind: 'flags';
  readonly initial: false;
  /** The name of each as `wire` has it. */
  readonly flags: Readonly<Record<T, string>>;
}
/** Some of some words, sorted, each once. */
interface ListSpec<T = string> extends Named {
  readonly kind: 'list';
  readonly initial: readonly [];
  readonly names: readonly T[];
}
/** Tiers of commissions, which have a sheet of their own. */
interface TiersSpec<T = string> extends Named {
  readonly kind: 'tiers';
  readonly initial: readonly [];
  readonly types: readonly [T, ...T[]];
  readonly bounds: StoredBounds;
}

type Kinds =
  | IdSpec
  | TextSpec
  | NoteSpec
  | DaySpec
  | FlagSpec
  | AmountSpec
  | ChoiceSpec
  | PeriodsSpec
  | FlagsSpec
  | ListSpec
  | TiersSpec;

/** A row of the table of fields. */
export type FieldSpec = Kinds & {
  /** The only supply that has it; `null`: both. */
  readonly supply: SupplyType | null;
};

type KindFor<T> = [T] extends [readonly AnyTier[]]
  ? TiersSpec<T[number]['type']>
  : [T] extends [PerPeriod<number | null>]
    ? PeriodsSpec
    : [T] extends [readonly (infer Name extends string)[]]
      ? ListSpec<Name>
      : [T] extends [Readonly<Record<string, boolean>>]
        ? FlagsSpec<keyof T & string>
        : [T] extends [boolean | null]
          ? FlagSpec<null extends T ? null : boolean>
          : [T] extends [number | null]
            ? AmountSpec<null extends T ? null : number> | (null extends T ? never : IdSpec)
            : null extends T
              ? NoteSpec | DaySpec
              : string extends T
                ? TextSpec
                : ChoiceSpec<T>;

type SupplyFor<Name> = Name extends keyof GasTerms ? (Name extends keyof ElectricityTerms ? null : 'GAS') : 'LUZ';

/** A field that is missing, is of another kind, has another default or another supply does not compile. */
export type FieldTable = {
  readonly [Name in FieldName]: KindFor<OfferTermsByField[Name]> & { readonly supply: SupplyFor<Name> };
};

/** What a value is, in words. */
export interface FieldWords {
  /** In OpenAPI, where `#` is the number of the period. `null`: the name says it all. */
  readonly en: string | null;
  /** In spreadsheets, where `#` is the number of the period; without it there is no cell of its own. */
  readonly es?: string;
}

/** By field, of `flags` by flag. Words that are missing do not compile. */
export type FieldWordsTable = {
  readonly [Name in FieldName as OfferTermsByField[Name] extends Readonly<Record<string, boolean>>
    ? `${Name}.${keyof OfferTermsByField[Name] & string}`
    : Name]: OfferTermsByField[Name] extends readonly AnyTier[]
    ? FieldWords
    : Name extends 'companyId'
      ? FieldWords
      : Required<FieldWords>;
};
