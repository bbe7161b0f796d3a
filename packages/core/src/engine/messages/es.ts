import { SPANISH_OF_FILES } from './es-files.ts';

/**
 * Every message to a caller, in English and in Spanish. `{a}` is a value; `{=a}` is a message itself.
 *
 * @see docs/assumptions.md, A-95
 */
export const SPANISH = {
  ...SPANISH_OF_FILES,

  // Access and limits
  'the API key in the header X-API-Key, or Authorization as Bearer, is missing, invalid or inactive':
    'la clave de API falta, no es válida o está desactivada (cabecera X-API-Key, o Authorization con Bearer)',
  'the API key is missing, invalid or inactive': 'la clave de API falta, no es válida o está desactivada',
  'the current password is wrong': 'la contraseña actual no es correcta',
  'the account is deactivated': 'la cuenta está desactivada',
  'the API key lacks a scope': 'a la clave de API le falta un permiso',
  'the API key lacks the scope {scope}': 'a la clave de API le falta el permiso {scope}',
  'w below 1 needs the scope commissions:read': 'w por debajo de 1 necesita el permiso commissions:read',
  'tolerancia above 0 needs the scope commissions:read':
    'tolerancia por encima de 0 necesita el permiso commissions:read',
  'no access to that advisory firm': 'no hay acceso a esa asesoría',
  'a key bound to one advisory firm cannot do this': 'una clave limitada a una asesoría no puede hacer esto',
  'the advisory firm of the API key is deactivated': 'la asesoría de la clave de API está desactivada',
  'the account may not write the catalog': 'la cuenta no puede modificar el catálogo',
  'this needs a key with full access': 'esto necesita una clave con acceso completo',
  'this needs a key with full access that is bound to no firm':
    'esto necesita una clave con acceso completo que no esté limitada a una asesoría',
  'the plan allows no more active advisory firms': 'el plan no permite más asesorías activas',
  'the plan allows {count} active advisory firms': 'el plan permite {count} asesorías activas',
  'the plan allows no more bytes of this kind': 'el plan no permite más bytes de este tipo',
  'the plan allows no more records of this kind': 'el plan no permite más registros de este tipo',
  '{=whose} may have {count} {=kind}, inactive ones included; it has {has}, and this would add {more}':
    '{whose} puede tener {count} {kind}, incluidas las desactivadas; tiene {has}, y esto añadiría {more}',
  'the history of offers of {=whose} may have {count} bytes, and has no room for this: nothing was changed':
    'el historial de ofertas de {whose} puede tener {count} bytes, y esto no cabe: no se ha cambiado nada',
  'the proposals of {=whose} may have {count} bytes, and have no room for this: delete some first':
    'las propuestas de {whose} pueden tener {count} bytes, y esta no cabe: elimine antes alguna',
  'the shared catalog': 'el catálogo compartido',
  'the account, on the plan {plan},': 'la cuenta, con el plan {plan},',
  'a token makes no keys: they would outlive it': 'un token no crea claves: durarían más que él',
  'the account has {count} keys: revoke one first': 'la cuenta tiene {count} claves: antes hay que revocar una',
  'this needs the key that registered the webhook, or one with full access that is bound to no firm':
    'esto necesita la clave que registró el webhook, o una con acceso completo que no esté limitada a una asesoría',
  'the key has {count} webhooks: delete one first': 'la clave tiene {count} webhooks: antes hay que borrar uno',
  'the account has {count} webhooks: delete one first': 'la cuenta tiene {count} webhooks: antes hay que borrar uno',
  retailers: 'comercializadoras',
  offers: 'ofertas',
  'months of indexed offers': 'mensualidades de ofertas indexadas',
  'too many requests': 'demasiadas peticiones',
  'costs {cost} points, and {name} never has more than {count} in {seconds} seconds':
    'cuesta {cost} puntos, y {name} nunca tiene más de {count} en {seconds} segundos',
  'too many requests: {name} allows {count} in {seconds} seconds':
    'demasiadas peticiones: {name} permite {count} en {seconds} segundos',
  'too many long reads are waiting: send them one after the other':
    'hay demasiadas lecturas largas en espera: hay que enviarlas una tras otra',
  'one call at a time of an account looks into the past':
    'solo una llamada a la vez de una cuenta puede mirar al pasado',
  'ask for {count} different months (mes): one call takes {max}':
    'se piden {count} meses (mes) diferentes: una llamada admite {max}',
  'the service is not available for the moment': 'el servicio no está disponible en este momento',
  'the database cannot be used for now': 'la base de datos no se puede usar por ahora',
  'nobody can say whether the change was made: look before repeating it':
    'no se sabe si se hizo el cambio: hay que mirar antes de repetirlo',
  'not ready': 'todavía no está en marcha',
  'the issuer of the token cannot be asked for its keys': 'no se pueden pedir las claves al emisor del token',
  'the database is busy': 'la base de datos está ocupada',
  'internal error': 'error interno',

  // Records
  'not found': 'no se encuentra',
  'no such path': 'no existe esa ruta',
  'no such file of the page, or the page is not built':
    'ese archivo de la página no existe, o la página no está preparada',
  'there is no active subscription': 'no hay una suscripción activa',
  'the method is not allowed here': 'aquí no se admite ese método',
  'allowed here: {methods}': 'aquí se admite: {methods}',
  'the name is already in use': 'el nombre ya está en uso',
  'that name is taken, and inactive records keep theirs': 'ese nombre está ocupado, y lo desactivado conserva el suyo',
  'the e-mail address is already in use': 'la dirección de correo ya está en uso',
  'another account has that e-mail address': 'otra cuenta tiene esa dirección de correo',
  'the record is in a state that does not allow this': 'el estado del registro no permite esto',
  'the record is not as If-Match says: it was changed, or is not there':
    'el registro no está como dice If-Match: ha cambiado, o ya no está',
  'a request with this Idempotency-Key is being answered':
    'ya se está atendiendo una petición con esta Idempotency-Key',
  'the rights of the API key have changed since this Idempotency-Key was used':
    'los permisos de la clave de API han cambiado desde que se usó esta Idempotency-Key',
  'another request was sent with this Idempotency-Key': 'se envió otra petición con esta Idempotency-Key',
  'only indexed offers have monthly prices': 'solo las ofertas indexadas tienen precios por mes',
  'an offer has at most {count} months': 'una oferta tiene {count} mensualidades como máximo',
  'is not allowed here': 'aquí no se admite',
  'is not ranked': 'no está entre las ofertas comparadas',
  'is not among the results: it is not ranked, or limit ({limit}) leaves it out':
    'no está entre los resultados: no se clasifica, o queda fuera por limit ({limit})',
  'no such company': 'no existe esa comercializadora',
  'no such firm': 'no existe esa asesoría',
  'no such offer': 'no existe esa oferta',
  'no such account': 'no existe esa cuenta',
  'no such upload': 'no existe ese archivo',
  'no such key': 'no existe esa clave',
  'no such proposal': 'no existe esa propuesta',
  'the webhook is disabled: register it again': 'el webhook está desactivado: hay que registrarlo de nuevo',
  'no such delivery': 'no existe esa entrega',
  'no such webhook': 'no existe ese webhook',
  'the offer has no such month': 'la oferta no tiene ese mes',
  'is an offer of the shared catalog, which is changed under /v1/catalog/offers':
    'es una oferta del catálogo compartido, que se cambia en /v1/catalog/offers',
  'is a company of the shared catalog, which is changed under /v1/catalog/companies':
    'es una comercializadora del catálogo compartido, que se cambia en /v1/catalog/companies',

  'the cursor is not known here: read everything again, from a call without it':
    'aquí no se conoce ese cursor: hay que volver a leerlo todo, desde una llamada sin él',

  // Bodies
  'the request is malformed': 'la petición no está bien formada',
  'the request breaks a rule': 'la petición incumple una norma',
  'the request is too large': 'la petición es demasiado grande',
  'the request did not arrive in time': 'la petición no llegó a tiempo',
  'the content type is not supported': 'no se admite ese tipo de contenido',
  'the request is not well-formed HTTP': 'la petición no es HTTP bien formado',
  'the address and headers are larger than {bytes} bytes': 'la dirección y las cabeceras ocupan más de {bytes} bytes',
  'the path is not well-formed': 'la ruta no está bien formada',
  'the header {name} must be sent once': 'la cabecera {name} solo se puede enviar una vez',
  'the key must be sent in X-API-Key or in Authorization, not in both':
    'la clave se envía en X-API-Key o en Authorization, no en las dos',
  'no body is taken here: what it says would not be done': 'aquí no se admite un cuerpo: no se haría lo que dice',
  'a JSON body is required': 'hace falta un cuerpo en JSON',
  'the body has too many values': 'el cuerpo tiene demasiados valores',
  'the body is not well-formed JSON in UTF-8': 'el cuerpo no es JSON bien formado en UTF-8',
  'the body ended early': 'el cuerpo terminó antes de tiempo',
  'the body comes too slowly': 'el cuerpo llega demasiado despacio',
  'the body is larger than {bytes} bytes': 'el cuerpo tiene más de {bytes} bytes',
  'the body must be application/json in UTF-8': 'el cuerpo tiene que ser application/json en UTF-8',
  'the body must be multipart/form-data': 'el cuerpo tiene que ser multipart/form-data',
  'the body is not a well-formed form': 'el cuerpo no es un formulario bien formado',
  'too many large bodies arrive at once: send fewer':
    'llegan demasiados cuerpos grandes a la vez: hay que enviar menos',
  '{=why}: try again in some seconds': '{why}: se puede volver a intentar en unos segundos',
  '{count} files of this account are being received': 'se están recibiendo {count} archivos de esta cuenta',
  'too many files are being received': 'se están recibiendo demasiados archivos',
  'the content type has no boundary': 'el tipo de contenido no tiene separador (boundary)',
  'the part with the file must be called file': 'la parte con el archivo tiene que llamarse file',
  'the part file has no file name': 'la parte file no tiene nombre de archivo',
  'a part has no name': 'una parte no tiene nombre',
  'a text of the form is {bytes} bytes or longer': 'un texto del formulario tiene {bytes} bytes o más',
  'a text of the form is in an unknown encoding': 'un texto del formulario tiene una codificación desconocida',
  'the form must have one file': 'el formulario tiene que llevar un archivo',
  'the form must have one file, in the part file': 'el formulario tiene que llevar un archivo, en la parte file',
  'the form has too many parts': 'el formulario tiene demasiadas partes',

  // Fields
  'unknown field': 'campo desconocido',
  'unknown argument': 'argumento desconocido',
  'unknown query parameter': 'parámetro desconocido',
  'unknown path parameter': 'parámetro desconocido',
  'is required': 'es obligatorio',
  'is required when the email changes': 'es obligatorio para cambiar el correo',
  'is missing': 'falta',
  'is not valid': 'no es válido',
  'is not well-formed': 'no está bien formado',
  'must be one value': 'tiene que ser un solo valor',
  '{=error}, such as {example}': '{error}, como {example}',
  'must be a finite number': 'tiene que ser un número',
  'must be a whole number': 'tiene que ser un número entero',
  'must be a whole number of at least {min}': 'tiene que ser un número entero, como mínimo {min}',
  'must be a number from {min} to {max}': 'tiene que ser un número de {min} a {max}',
  'must be true or false': 'tiene que ser true o false',
  'must be text': 'tiene que ser un texto',
  'must be a list': 'tiene que ser una lista',
  'must be an object': 'tiene que ser un objeto',
  'must be of another type': 'tiene que ser de otro tipo',
  'must be a file': 'tiene que ser un archivo',
  'must be one of: {values}': 'tiene que ser uno de estos: {values}',
  'must be distinct': 'no se pueden repetir',
  'must be sent once': 'solo se puede enviar una vez',
  'must be well-formed Unicode': 'tiene que ser Unicode bien formado',
  'must be * or a list of entity tags in quotation marks': 'tiene que ser * o una lista de etiquetas entre comillas',
  'must be {min} to {max} visible ASCII characters': 'tiene que tener de {min} a {max} caracteres ASCII visibles',
  'must be at least {min} characters': 'tiene que tener como mínimo {min} caracteres',
  'must be at most {max} characters': 'tiene que tener como máximo {max} caracteres',
  'must have {min} to {max} characters': 'tiene que tener de {min} a {max} caracteres',
  'must have at least {min} character': 'tiene que tener como mínimo {min} carácter',
  'must have at least {min} characters': 'tiene que tener como mínimo {min} caracteres',
  'must have at most {max} character': 'tiene que tener como máximo {max} carácter',
  'must have at most {max} characters': 'tiene que tener como máximo {max} caracteres',
  'must have at least {min} entry': 'tiene que tener como mínimo {min} elemento',
  'must have at least {min} entries': 'tiene que tener como mínimo {min} elementos',
  'must have at most {max} entry': 'tiene que tener como máximo {max} elemento',
  'must have at most {max} entries': 'tiene que tener como máximo {max} elementos',
  'must be at least {min}': 'tiene que ser como mínimo {min}',
  'must be at most {max}': 'tiene que ser como máximo {max}',
  'must not be null': 'no puede ser null',
  'must not be empty': 'no puede estar vacío',
  'must not be negative': 'no puede ser negativo',
  'the connection was closed': 'se cerró la conexión',
  'is not a field of the answer': 'no es un campo de la respuesta',
  'is no access tariff: is {name} meant?': 'no es un peaje de acceso: ¿se quería decir {name}?',
  'is too high for EUR/kWh: is {price} meant?': 'es demasiado alto para EUR/kWh: ¿se quería decir {price}?',
  'is not a field of the answer; the nearest are: {names}':
    'no es un campo de la respuesta; los más parecidos son: {names}',
  'must name at least one field': 'tiene que llevar al menos un campo',
  'needs either full_access or scopes': 'necesita full_access o scopes, y solo uno de los dos',
  'needs name, email or both': 'necesita name, email o los dos',
  'must not contain invisible characters': 'no puede llevar caracteres invisibles',
  'must not have more than {max} marks in a row': 'no puede llevar más de {max} signos diacríticos seguidos',
  'must not consist of marks alone': 'no puede constar solo de signos diacríticos',
  'must have no characters that do not show': 'no puede llevar caracteres invisibles',
  'must not hold a CUPS: a proposal says nothing of who the customer is':
    'no puede llevar un CUPS: una propuesta no dice quién es el cliente',
  'must have a host name such as example.com, and no fragment':
    'tiene que tener un nombre de servidor como example.com, y ningún fragmento',
  'must be an https address of at most {max} characters without user info':
    'tiene que ser una dirección https de como máximo {max} caracteres, sin usuario ni contraseña',
  'must be a PNG, JPEG or WebP picture as a data: URI in base64':
    'tiene que ser una imagen PNG, JPEG o WebP como URI data: en base64',
  'must be a picture of at most {max} bytes': 'tiene que ser una imagen de como máximo {max} bytes',
  'must have its content in base64, with its padding': 'tiene que llevar su contenido en base64, con su relleno',
  'must have the content of a {type} picture': 'tiene que llevar el contenido de una imagen {type}',
  'must be an e-mail address of at most {max} characters':
    'tiene que ser una dirección de correo de como máximo {max} caracteres',
  'must be a month from {min} to {max}': 'tiene que ser un mes de {min} a {max}',
  'must be a month, YYYY-MM or YYYY-MM-DD': 'tiene que ser un mes, AAAA-MM o AAAA-MM-DD',
  'must be an instant such as 2026-01-31T08:00:00Z': 'tiene que ser un instante como 2026-01-31T08:00:00Z',
  'must be an instant such as 2026-01-31T08:00:00Z, or a day':
    'tiene que ser un instante como 2026-01-31T08:00:00Z, o un día',
  'must be in the future': 'tiene que estar en el futuro',
  'must be at the latest {latest}, when the key that makes it ends':
    'tiene que ser como muy tarde {latest}, cuando caduca la clave que la crea',
  'is in the future: it is {now}': 'está en el futuro: son las {now}',
  'a file of offers has no past': 'un fichero de ofertas no tiene pasado',
  'history begins at {instant}': 'el historial empieza en {instant}',
  'is not sent beside {name}': 'no se envía junto con {name}',
  'is only sent with {name}': 'solo se envía con {name}',
  'must not be sent together with {field}: its entries have their own':
    'no se puede enviar junto con {field}: sus elementos llevan los suyos',
  'must not be sent together with {field}': 'no se puede enviar junto con {field}',
  'occurs twice': 'está dos veces',
  'comes twice': 'está dos veces',
  'stands twice': 'está dos veces',

  // Offers
  'must be between {min} and {max} {unit}': 'tiene que estar entre {min} y {max} {unit}',
  'at least one territory must be active': 'al menos un territorio tiene que estar activo',
  'at least one type of customer must be accepted': 'hay que aceptar al menos un tipo de cliente',
  'is allowed only on an offer for solar panels': 'solo se admite en una oferta para placas solares',
  'is not a field of {supply} offers': 'no es un campo de las ofertas de {supply}',
  'has more than six periods': 'tiene más de seis periodos',
  'has a month twice': 'tiene un mes dos veces',
  'an offer has at most {max} months': 'una oferta tiene como máximo {max} meses',
  'needs at least one price': 'necesita al menos un precio',
  'must be true for an offer with monthly prices': 'tiene que ser true en una oferta con precios por mes',
  'at most {max} tiers': 'como máximo {max} tramos',
  'must be greater than the lower bound': 'tiene que ser mayor que el límite inferior',
  'overlaps another tier': 'se solapa con otro tramo',

  // Rankings
  'must be greater than 0 for GAS': 'tiene que ser mayor que 0 para GAS',
  'at least one value of energia or potencia must be greater than 0':
    'al menos un valor de energia o potencia tiene que ser mayor que 0',
  'is not allowed for {supply}: its kWh go into {field}': 'no se admite para {supply}: sus kWh van en {field}',
  'is not allowed for {supply}': 'no se admite para {supply}',
  'is needed for gas': 'hace falta para gas',
  'is needed for {supply}': 'hace falta para {supply}',
  'is needed: something is consumed in this period': 'hace falta: hay consumo en este periodo',
  'is needed: something is contracted in this period': 'hace falta: hay potencia contratada en este periodo',
  'is either prices or coste_total': 'son los precios o coste_total, no las dos cosas',
  'has {days} days, and a period at most {max}': 'tiene {days} días, y un periodo como máximo {max}',
  'has a sum of more than {max} kWh': 'suma más de {max} kWh',
  'must be the sum of perfil, {sum}, or left out': 'tiene que ser la suma de perfil, {sum}, o no enviarse',

  // Files of the command line
  'a spreadsheet has no ids of companies and clients: use company_name':
    'una hoja de cálculo no tiene ids de comercializadoras ni de asesorías: hay que usar company_name',
  'must not stand together with {option}': 'no se puede usar junto con {option}',
  'the line is not JSON from column {column} on': 'la línea no es JSON a partir de la columna {column}',
  'offer {id} ({name}): the file has no indexed_prices of it: use the answer of compare or of the detail':
    'oferta {id} ({name}): el archivo no tiene sus indexed_prices: hay que usar la respuesta de compare o del detalle',

  // Bills
  'is needed together with {field}': 'hace falta junto con {field}',
  'is allowed only beside {field}': 'solo se admite junto con {field}',
  'is sent without any other member': 'se envía sin ningún otro campo',
  'is sent with no other price than services_cost': 'se envía sin más precio que services_cost',
  'must not be before {day}': 'no puede ser anterior al {day}',
  'is regulated for electricity up to {kw} kW alone: send EUR a month':
    'solo está regulado para electricidad hasta {kw} kW: hay que indicar EUR al mes',
  'the rate of {concept} ({kind}) is not known on that day: send it in {field}':
    'el tipo de {concept} ({kind}) no se conoce ese día: hay que indicarlo en {field}',
  'the rate of {concept} ({kind}) is undecided: {law}; send it in {field}':
    'el tipo de {concept} ({kind}) está por decidir: {law}; hay que indicarlo en {field}',
  'the rate of {concept} ({kind}) is undecided: {law}, on {=condition}; send it in {field}':
    'el tipo de {concept} ({kind}) está por decidir: {law}, según {condition}; hay que indicarlo en {field}',
  'if the condition of {law} is met': 'si se cumple la condición de {law}',
  'if the condition of {law} is not met': 'si no se cumple la condición de {law}',
  'as {law} says': 'según {law}',
  'the CPI of electricity (04.5.1.0) in September above 15 %, and the validation by Congress':
    'el IPC de la electricidad (04.5.1.0) de septiembre por encima del 15 % y la convalidación del Congreso',
  'the CPI of electricity (04.5.1.0) in October above 15 %':
    'el IPC de la electricidad (04.5.1.0) de octubre por encima del 15 %',
  'the CPI of gas in June above 15 %': 'el IPC del gas de junio por encima del 15 %',

  // Invoices and meters
  'must be the address of a QR code: https://comparador.cnmc.gob.es/comparador/QRE with its parameters':
    'tiene que ser la dirección de un código QR: https://comparador.cnmc.gob.es/comparador/QRE con sus parámetros',
  'must be a whole number of {min} to {max} {unit}': 'tiene que ser un número entero de {min} a {max} {unit}',
  'must not be above the maximum': 'no puede ser mayor que el máximo',
  'must not be after the last day': 'no puede ser posterior al último día',
  'is allowed only on an indexed offer': 'solo se admite en una oferta indexada',
  'is allowed only with an index': 'solo se admite junto con un índice',
  'must be a name such as PVPC: 1 to 32 of A-Z, 0-9, - and _, first a letter or digit':
    'tiene que ser un nombre como PVPC: de 1 a 32 de A-Z, 0-9, - y _, primero una letra o cifra',
  'is needed beside a discount': 'hace falta junto con un descuento',
  'is allowed only beside a discount': 'solo se admite junto con un descuento',
  'must be a day as YYYY-MM-DD': 'tiene que ser un día, AAAA-MM-DD',
  'has a parameter twice that is not of this format': 'tiene dos veces un parámetro que no es de este formato',
  'the invoice corrects another one: only an ordinary invoice can be read':
    'la factura rectifica otra: solo se puede leer una factura ordinaria',
  'the invoice is not of 2.0TD: only that tariff can be read':
    'la factura no es de 2.0TD: solo se puede leer ese peaje',
  'neither consumption nor contracted power is above 0': 'ni el consumo ni la potencia contratada son mayores que 0',
  'ceuta and melilla have different hours: name one of them':
    'ceuta y melilla tienen horas diferentes: hay que indicar una de las dos',
  '{community} is not in {territory}': '{community} no está en {territory}',
  'row {row}, column {number} ({name}): {=message}': 'fila {row}, columna {number} ({name}): {message}',
  'row {row}: {=message}': 'fila {row}: {message}',
  'two columns are called {name}': 'dos columnas se llaman {name}',
  'no column is called {name}; it needs {columns}': 'ninguna columna se llama {name}; hacen falta {columns}',
  'must be kWh from 0 to {max}, such as 0,123': 'tienen que ser kWh de 0 a {max}, como 0,123',
  'must be Wh from 0 to {max}, such as 0,123': 'tienen que ser Wh de 0 a {max}, como 0,123',
  'names another supply point: a file is about one': 'es de otro punto de suministro: un archivo es de uno solo',
  'must be a day as DD/MM/YYYY or YYYY/MM/DD, of 2000 to 2099':
    'tiene que ser un día, DD/MM/AAAA o AAAA/MM/DD, de 2000 a 2099',
  'must be 1 to 24 (25 when the clock goes back), or HH:MM by quarter-hours or a range of them':
    'tiene que ser de 1 a 24 (25 cuando se retrasa el reloj), o HH:MM por cuartos de hora o un tramo de ellas',
  'must be a month as YYYY/MM, of 2000 to 2099': 'tiene que ser un mes, AAAA/MM, de 2000 a 2099',
  'totals by month are those of 2.0TD alone': 'los totales por mes solo valen para 2.0TD',
  'a file has at most {max} rows': 'un archivo tiene como máximo {max} filas',
  'a file covers at most {max} months': 'un archivo abarca como máximo {max} meses',
  'it covers more than {max} months': 'abarca más de {max} meses',
  'it has more than {max} kWh': 'tiene más de {max} kWh',
  'it has no hour with a consumption': 'no tiene ninguna hora con consumo',
  '{missing} of its {hours} hours are missing, which is more than 5 %':
    'faltan {missing} de sus {hours} horas, más del 5 %',
  'an hour among quarter-hours': 'una hora entre cuartos de hora',
  '00:00 in a file that names hours by their end, and the day before has its 24:00':
    '00:00 en un archivo que nombra el fin de las horas, y el día anterior tiene sus 24:00',
  'its consumption is more than 2.0TD has: where it is Wh, name the column consumo_Wh':
    'su consumo es más del que hay en 2.0TD: si está en Wh, la columna tiene que llamarse consumo_Wh',
  'hour 0 in a file that numbers them from 1 to 24': 'hora 0 en un archivo que las numera de 1 a 24',
  'a surplus without a consumption: write 0 where nothing was consumed':
    'excedentes sin consumo: hay que escribir 0 donde no se consumió nada',
  'stands below a line without a day: delete the lines between the hours':
    'está debajo de una línea sin fecha: hay que borrar las líneas que hay entre las horas',
  'an hour that the file has already': 'una hora que el archivo ya tiene',
  'a month that the file has already': 'un mes que el archivo ya tiene',

  // Contracted power
  'is no offer of {tariff}': 'no es una oferta de {tariff}',
  'has no price in a power period': 'no tiene precio en algún periodo de potencia',
  'no regulated price is known on that day': 'no se conoce ningún precio regulado en ese día',
  'must be JSON': 'tiene que ser JSON',
  'totals by month have no maxima': 'los totales por mes no tienen máximos',
  'is needed here': 'hace falta',
  'is of a period that is not one here': 'es de un periodo que no existe aquí',
  'must not be below that of the period before': 'no puede ser menor que la del periodo anterior',
  'must be the {days} days of the month: a part of one has no month':
    'tienen que ser los {days} días del mes: una parte de un mes va sin mes',
  'is hundreds of times the power contracted today: it is kW, and may have been sent in W':
    'es cientos de veces la potencia contratada hoy: son kW, ¿y se han enviado vatios?',
  '{=first}, and {=second}': '{first}, y {second}',
  'meters of types 1 to 3 pay excess by the quarter-hour: send a curve of quarter-hours':
    'los contadores de tipo 1 a 3 pagan los excesos por cuartos de hora: hace falta una curva cuartohoraria',
  'the regulated price {concept} of {tariff} is not known on that day':
    'no se conoce el precio regulado {concept} de {tariff} en ese día',

  // The name of a column of a spreadsheet, followed by its error.
  '{column}: {=message}': '{column}: {message}',
} as const;
