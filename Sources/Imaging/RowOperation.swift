import CImagingShim

/// A row filter as the library calls it; one sequence for each thread.
final class RowOperation: Sendable {
  private let filter: any RowFilter
  private let size: PixelSize
  private let bands: Int

  init(filter: any RowFilter, size: PixelSize, bands: Int) {
    self.filter = filter
    self.size = size
    self.bands = bands
  }

  static var functions: minilab_rows_functions {
    unsafe minilab_rows_functions(
      start: { context in
        guard let context = unsafe context else { return nil }
        let operation = unsafe Unmanaged<RowOperation>.fromOpaque(context).takeUnretainedValue()
        let sequence = RowSequence(
          operation.filter, size: operation.size, bands: operation.bands)
        return unsafe Unmanaged.passRetained(RowThread(sequence, operation.bands)).toOpaque()
      },
      stop: { worker in
        guard let worker = unsafe worker else { return }
        unsafe Unmanaged<RowThread>.fromOpaque(worker).release()
      },
      next: { worker, output, input in
        guard let worker = unsafe worker, let input = unsafe input else { return 0 }
        let thread = unsafe Unmanaged<RowThread>.fromOpaque(worker).takeUnretainedValue()
        guard let rect = thread.sequence.next(for: PixelRect(output)) else { return 0 }
        unsafe input.pointee = rect.library
        return 1
      },
      work: { worker, input, output in
        guard let worker = unsafe worker, let input = unsafe input, let output = unsafe output
        else { return }
        let thread = unsafe Unmanaged<RowThread>.fromOpaque(worker).takeUnretainedValue()
        guard let from = unsafe FloatWindow(input.pointee, bands: thread.bands),
          let to = unsafe FloatWindow(output.pointee, bands: thread.bands)
        else { return }
        thread.sequence.work(from, to)
      },
      release: { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<RowOperation>.fromOpaque(context).release()
      })
  }
}

private final class RowThread {
  let sequence: RowSequence
  let bands: Int

  init(_ sequence: RowSequence, _ bands: Int) {
    self.sequence = sequence
    self.bands = bands
  }
}
